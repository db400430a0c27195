import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A self-signed certificate for the given names, made here so that no private key lies in the repository. */
export function testCertificate(names: string[]): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from('Milaan test')))));
  const validity = sequence(
    tagged(0x17, Buffer.from('200101000000Z')),
    tagged(0x17, Buffer.from('491231235959Z')),
  );
  const altNames = sequence(...names.map(text => tagged(0x82, Buffer.from(text))));
  const extensions = tagged(0xa3, sequence(sequence(oid('551d11'), tagged(0x04, altNames))));
  const serial = tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    serial,
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const der = sequence(body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** DER: a tag, a length, the content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}
