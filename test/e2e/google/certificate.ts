import { generateKeyPairSync, sign } from 'node:crypto';

/** One value in DER, as X.509 writes everything. */
function der(tag: number, ...parts: Buffer[]): Buffer {
	const body = Buffer.concat(parts);
	const { length } = body;
	const size =
		length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));

const SHA256_WITH_RSA = sequence(oid('2a864886f70d01010b'), der(0x05));
const COMMON_NAME = oid('550403');
const ALTERNATIVE_NAMES = oid('551d11');

const pem = (label: string, content: Buffer) =>
	`-----BEGIN ${label}-----\n${content.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

/** A certificate for these hosts that signs itself, and its private key. Node.js can make none. */
export function certificateFor(hosts: string[]): { certificate: string; privateKey: string } {
	const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const name = sequence(der(0x31, sequence(COMMON_NAME, text(0x0c, 'Test'))));
	const names = sequence(...hosts.map((host) => text(0x82, host)));
	const content = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1])),
		SHA256_WITH_RSA,
		name,
		sequence(text(0x17, '200101000000Z'), text(0x17, '491231235959Z')),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, sequence(sequence(ALTERNATIVE_NAMES, der(0x04, names)))),
	);
	const signature = sign('sha256', content, privateKey);
	const bits = der(0x03, Buffer.from([0]), signature);
	return {
		certificate: pem('CERTIFICATE', sequence(content, SHA256_WITH_RSA, bits)),
		privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
	};
}
