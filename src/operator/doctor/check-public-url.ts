import { connect as connectTls } from 'node:tls';
import { request } from 'undici';
import { day, systemClock } from '../../base/clock.ts';
import type { Config } from '../../base/settings/config.ts';
import { version } from '../../base/version.ts';
import { answerLimit } from './check-mail.ts';
import { type Finding, fault, fine, warning } from './finding.ts';

const renewBefore = 14;
/** This address is reserved for documentation, so no real caller has it. */
const madeUp = '192.0.2.77';

export async function checkPublicUrl({ publicUrl, metricsToken, trustProxy }: Config): Promise<Finding[]> {
  if (publicUrl === null) return [];
  const found: Finding[] = [];
  if (publicUrl.startsWith('https:')) found.push(await certificate(publicUrl));
  else found.push(fault('TLS', `${publicUrl} is not https`, 'put a proxy with a certificate in front'));
  try {
    const answer = await ask(`${publicUrl}/readyz`, {
      'x-forwarded-for': madeUp,
      ...(metricsToken !== null && { authorization: `Bearer ${metricsToken}` }),
    });
    found.push(serving(publicUrl, answer));
    if (publicUrl.startsWith('https:')) {
      found.push(
        answer.headers['strict-transport-security'] === undefined
          ? warning(
              'HSTS',
              'the proxy sends no Strict-Transport-Security',
              'add it: the samples in docs/configure.md have it',
            )
          : fine('HSTS', String(answer.headers['strict-transport-security'])),
      );
    }
    found.push(proxy(answer.body['caller'], { trustProxy, hasToken: metricsToken !== null }));
    const health = await ask(`${publicUrl}/healthz`, {});
    const theirs = String(health.body['version']);
    found.push(
      theirs === version
        ? fine('version', `${version}, here and there`)
        : warning(
            'version',
            `${theirs} is running, this command is ${version}`,
            'restart the service after an upgrade',
          ),
    );
  } catch (error) {
    found.push(
      fault(
        'address',
        `${publicUrl}: ${(error as Error).message}`,
        'check that the service runs, and that the name leads here',
      ),
    );
  }
  return found;
}

type Answered = { status: number; headers: Record<string, unknown>; body: Record<string, unknown> };

async function ask(url: string, headers: Record<string, string>): Promise<Answered> {
  const limits = { headersTimeout: answerLimit, bodyTimeout: answerLimit };
  const answer = await request(url, { headers, ...limits });
  const body = (await answer.body.json().catch(() => ({}))) as Record<string, unknown>;
  return { status: answer.statusCode, headers: answer.headers, body };
}

function serving(publicUrl: string, { status, body }: Answered): Finding {
  if (status === 200 && body['status'] === 'ready') return fine('address', `${publicUrl} is ready`);
  return fault(
    'address',
    `${publicUrl}/readyz answers ${status} ${JSON.stringify(body).slice(0, 200)}`,
    'check the service and its proxy',
  );
}

/** The request carries a made-up address. A correct proxy replaces it, or appends the true one. */
function proxy(
  caller: unknown,
  { trustProxy, hasToken }: { trustProxy: boolean; hasToken: boolean },
): Finding {
  if (!hasToken)
    return warning(
      'proxy',
      'METRICS_TOKEN is not set',
      'set it, so that the doctor can check which caller the proxy reports',
    );
  if (caller === madeUp)
    return fault(
      'proxy',
      'callers may pretend to be any address',
      'make the proxy set X-Forwarded-For itself, or set TRUST_PROXY=no',
    );
  if (!trustProxy && (caller === '127.0.0.1' || caller === '::1'))
    return warning(
      'proxy',
      'every caller looks like the proxy',
      "set TRUST_PROXY=yes, or one busy shop uses up everybody's limits",
    );
  return fine('proxy', `reports our address as ${String(caller)}`);
}

async function certificate(publicUrl: string): Promise<Finding> {
  const { hostname, port } = new URL(publicUrl);
  try {
    const until = await new Promise<Date>((resolve, reject) => {
      const socket = connectTls({ host: hostname, port: Number(port || 443), servername: hostname });
      socket.setTimeout(answerLimit, () => socket.destroy(new Error('no answer in time')));
      socket.once('error', reject);
      socket.once('secureConnect', () => {
        resolve(new Date(socket.getPeerCertificate().valid_to));
        socket.destroy();
      });
    });
    const days = Math.floor((until.getTime() - systemClock.now().getTime()) / day);
    return days < renewBefore
      ? warning('TLS', `the certificate ends in ${days} days`, 'find out why it was not renewed')
      : fine('TLS', `the certificate is good for ${days} days`);
  } catch (error) {
    return fault(
      'TLS',
      `${hostname}: ${(error as Error).message}`,
      'customers cannot open the page: check the certificate and the proxy',
    );
  }
}
