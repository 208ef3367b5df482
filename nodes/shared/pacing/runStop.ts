import { changesSomething } from '../errors/outcomes';
import { Stop } from '../time/stop';
import { afterArrivals } from '../time/clock';

/** How long a POST or DELETE in flight gets after n8n's Stop, in milliseconds. */
const GRACE = 10_000;

/** How a run ends before all is sent: nothing more starts. */
export class RunStop extends Stop {
	private readonly afterGrace = new Stop();

	/** n8n's Stop: also ends what is in flight, a GET at once, a POST or DELETE after ten seconds. */
	cancel(): void {
		this.stop();
		afterArrivals(GRACE, () => this.afterGrace.stop());
	}

	/** What aborts a request. A stop alone lets a change finish: the service would carry it out anyway. */
	abortOf(method: string): Stop {
		return changesSomething(method) ? this.afterGrace : this;
	}
}
