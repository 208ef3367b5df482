import { fingerprintOf } from '../../nodes/BusinessListingSearch/input/fingerprint';
import { seededRandom } from '../../sandbox/random';

it('the fingerprint is unique among 150,000 tasks', () => {
	const random = seededRandom(1);
	const prints = Array.from({ length: 150_000 }, () => fingerprintOf(`${random()}${random()}`));
	expect(new Set(prints).size).toBe(prints.length);
});
