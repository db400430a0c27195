import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

export type SecretBox = ReturnType<typeof secretBox>;

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const mostKeys = 8;

/** Parses one or more keys of 32 bytes in hex or base64, newest first, separated by commas. */
export function parseKeyRing(text: string): { keys: Buffer[] } | { problem: string } {
  const parts = text.split(',').map(part => part.trim());
  if (parts.length > mostKeys) return { problem: `holds more than ${mostKeys} keys` };
  const keys = parts.map(part =>
    /^[0-9a-fA-F]{64}$/.test(part) ? Buffer.from(part, 'hex') : Buffer.from(part, 'base64'),
  );
  if (keys.some(key => key.length !== keyBytes)) {
    return {
      problem: 'must be 32 random bytes in hex or base64 (openssl rand -base64 32 prints them)',
    };
  }
  return { keys };
}

export function newSecretKey(): string {
  return randomBytes(keyBytes).toString('base64');
}

/**
 * Encrypts stored secrets with AES-256-GCM under a key ring that is never in the database. The newest key seals and
 * every key opens, so keys can be replaced while the service runs. `boundTo` names the row and column, such as
 * `merchant:42:webhook_secret`. A sealed value copied to another row does not open.
 */
export function secretBox(ring: readonly Buffer[]) {
  if (ring.length === 0) throw new Error('the key ring is empty');
  const keys = ring.map(key => ({
    id: derive(key, 'key id').subarray(0, 4).toString('hex'),
    // Key objects are made once: with plain bytes, Node's check of the key at every use costs more than the cipher.
    sealing: createSecretKey(derive(key, 'seal')),
    signing: createSecretKey(derive(key, 'sign')),
  }));
  const newest = keys[0]!;
  const mac = (key: KeyObject, purpose: string, message: string) =>
    createHmac('sha256', key).update(`${purpose}\n${message}`).digest();

  return {
    seal(plaintext: string, boundTo: string): string {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', newest.sealing, nonce).setAAD(Buffer.from(boundTo));
      const body = Buffer.concat([
        nonce,
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${newest.id}.${body.toString('base64')}`;
    },
    open(sealed: string, boundTo: string): string {
      const [id, encoded = ''] = sealed.split('.');
      const key = keys.find(candidate => candidate.id === id);
      if (!key) throw new Error('a stored secret was sealed with a key that is not in SECRET_KEY');
      const body = Buffer.from(encoded, 'base64');
      // Accept only one spelling of a value: base64 decoding ignores some bits at the end.
      if (body.toString('base64') !== encoded) throw new Error('a stored secret is damaged');
      const decipher = createDecipheriv('aes-256-gcm', key.sealing, body.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(boundTo)).setAuthTag(body.subarray(-tagBytes));
      const plain = [decipher.update(body.subarray(nonceBytes, -tagBytes)), decipher.final()];
      return Buffer.concat(plain).toString('utf8');
    },
    /** True if an older key of the ring sealed this; seal it again. */
    isStale: (sealed: string) => !sealed.startsWith(`${newest.id}.`),
    isOpenable: (sealed: string) => keys.some(({ id }) => sealed.startsWith(`${id}.`)),
    /** A keyed signature for values that callers send back, such as a list cursor. */
    sign: (purpose: string, message: string) => mac(newest.signing, purpose, message),
    /** The signatures under every key of the ring, newest first. */
    signatures: (purpose: string, message: string) => keys.map(key => mac(key.signing, purpose, message)),
  };
}

/** Compares in constant time, so that timing reveals nothing about the bytes. */
export function isAmong(signatures: readonly Buffer[], given: Buffer): boolean {
  return signatures.some(one => one.length === given.length && timingSafeEqual(one, given));
}

function derive(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'milaan', purpose, keyBytes));
}
