import { stringify } from 'flatted';
import type { IContextObject } from 'n8n-workflow';

import { fingerprintOf } from '../../nodes/BusinessListingSearch/run/fingerprint';
import { Memory } from '../../nodes/BusinessListingSearch/run/memory';
import { seededRandom } from '../../sandbox/random';

it('10,000 finished tasks take less than 2 MB, also as n8n stores them', () => {
	const context: IContextObject = {};
	const memory = new Memory(context, {}, 'Node', 0, {});
	for (let item = 0; item < 10_000; item++) {
		memory.recordDone(fingerprintOf(['account', item]), [{ job_id: crypto.randomUUID() }]);
	}
	expect(JSON.stringify(context).length).toBeLessThan(2_000_000);
	expect(stringify(context).length).toBeLessThan(2_000_000);
});

it('the fingerprint is unique among 150,000 tasks', () => {
	const random = seededRandom(1);
	const prints = Array.from({ length: 150_000 }, () => fingerprintOf(`${random()}${random()}`));
	expect(new Set(prints).size).toBe(prints.length);
});
