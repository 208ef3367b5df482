import { changesSomething } from '../errors/outcomes';
import { OnceEvent } from '../time/onceEvent';
import { afterArrivals } from '../time/clock';

/** How long a POST or DELETE in flight gets after n8n's Stop, in milliseconds. */
const GRACE = 10_000;

/** How a run ends before all is sent, after a failure or when the user presses Stop in n8n: nothing more starts. */
export class RunStop extends OnceEvent {
	private readonly afterGrace = new OnceEvent();

	/** n8n's Stop: also ends what is in flight, a GET at once, a POST or DELETE after ten seconds. */
	cancel(): void {
		this.happen();
		afterArrivals(GRACE, () => this.afterGrace.happen());
	}

	/** What aborts a request. A stop alone lets a change finish: the service would carry it out anyway. */
	abortOf(method: string): OnceEvent {
		return changesSomething(method) ? this.afterGrace : this;
	}
}
