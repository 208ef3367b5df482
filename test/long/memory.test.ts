import { stringify } from 'flatted';
import type { IContextObject } from 'n8n-workflow';

import { fingerprintOf } from '../../nodes/BusinessListingSearch/run/fingerprint';
import { Ledger } from '../../nodes/BusinessListingSearch/run/ledger';
import { KeptRecord } from '../../nodes/BusinessListingSearch/run/record';
import { seededRandom } from '../../sandbox/random';

it('10,000 finished tasks take less than 2 MB, also as n8n stores them', () => {
	const context: IContextObject = {};
	const place = { own: context, execution: {}, node: 'Node', runIndex: 0, parameters: {} };
	const ledger = new Ledger(new KeptRecord(place), 'job_id');
	for (let item = 0; item < 10_000; item++) {
		const output = [{ job_id: crypto.randomUUID() }];
		ledger.addDone(fingerprintOf(['account', item]), output, true);
	}
	expect(JSON.stringify(context).length).toBeLessThan(2_000_000);
	expect(stringify(context).length).toBeLessThan(2_000_000);
});

it('the fingerprint is unique among 150,000 tasks', () => {
	const random = seededRandom(1);
	const prints = Array.from({ length: 150_000 }, () => fingerprintOf(`${random()}${random()}`));
	expect(new Set(prints).size).toBe(prints.length);
});
