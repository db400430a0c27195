import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Subscription } from '../../src/outbox/pushes/queries.ts';

/** A message as the browser's script gets it, with what the push service saw of it. */
type Pushed = {
  message: { title: string; body: string; url: string; tag: string };
  headers: Record<string, string>;
  /** The sender's signed claims (VAPID), after the signature was verified with the key that it names. */
  signed: { aud: string; exp: number; sub: string; key: string };
};

/** A browser with its push service, both on loopback: holds the only key that opens what is sent to it. */
export type TestDevice = {
  subscription: Subscription;
  pushed: Pushed[];
  /** The push service's answer from now on. */
  answers(status: number): void;
};

export type PushService = {
  newDevice(): TestDevice;
  until(count: number): Promise<void>;
  stop(): Promise<void>;
};

export async function startPushService(): Promise<PushService> {
  const devices = new Map<string, (body: Buffer, headers: Record<string, string>) => number>();
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk as Buffer));
    request.on('end', () => {
      const take = devices.get(request.url ?? '');
      const status = take?.(Buffer.concat(chunks), request.headers as Record<string, string>) ?? 404;
      count++;
      server.emit('pushed');
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    newDevice() {
      const pair = createECDH('prime256v1');
      const own = pair.generateKeys();
      const auth = randomBytes(16);
      const path = `/push/${randomBytes(8).toString('hex')}`;
      const pushed: Pushed[] = [];
      let status = 201;
      devices.set(path, (body, headers) => {
        const message = JSON.parse(decrypt(body, { pair, own, auth }).toString());
        if (status < 300)
          pushed.push({ message, headers, signed: checkSignature(headers['authorization'] ?? '') });
        return status;
      });
      return {
        subscription: {
          endpoint: origin + path,
          p256dh: own.toString('base64url'),
          auth: auth.toString('base64url'),
        },
        pushed,
        answers(next) {
          status = next;
        },
      };
    },
    async until(wanted) {
      while (count < wanted) await once(server, 'pushed');
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type BrowserKeys = { pair: ReturnType<typeof createECDH>; own: Buffer; auth: Buffer };

/** RFC 8291 over RFC 8188, one record, written from the receiver's side: it shares nothing with the sender's library. */
function decrypt(body: Buffer, { pair, own, auth }: BrowserKeys): Buffer {
  const salt = body.subarray(0, 16);
  const keyLength = body[20]!;
  const theirs = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const derive = (key: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, theirs]);
  const secret = derive(pair.computeSecret(theirs), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const opening = createDecipheriv('aes-128-gcm', key, nonce);
  opening.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([opening.update(record.subarray(0, -16)), opening.final()]);
  return padded.subarray(0, padded.lastIndexOf(2));
}

/** RFC 8292: a token signed with the key next to it. */
function checkSignature(authorization: string): Pushed['signed'] {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const isGood = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isGood) throw new Error('the signature does not fit the key beside it');
  return { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), key };
}
