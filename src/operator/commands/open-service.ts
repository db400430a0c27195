import { resolve } from 'node:path';
import { second } from '../../base/clock.ts';
import type { Environment } from '../../base/settings/find-settings.ts';
import { StartError } from '../../base/start-error.ts';
import { readSandboxFile, type SandboxFile } from '../../sandbox/sandbox-file.ts';

const askLimit = 15 * second;
/** These statuses are temporary: a limit, or a proxy whose service restarts. */
const passing = [429, 502, 503, 504];

/** Nothing answers at the address, or only a proxy. A later try may succeed. */
export class Unreachable extends Error {}

export type Service = ReturnType<typeof openService>;

/** A client for the named installation, or for this folder's sandbox at its current address. */
export function openService(named: string | undefined, env: Environment) {
  const dataDir = resolve(env['DATA_DIR']?.trim() || '.milaan');
  const find = (): Partial<SandboxFile> => {
    const sandbox = readSandboxFile(dataDir);
    const url = (named ?? env['MILAAN_URL'])?.replace(/\/+$/, '');
    const isOwn = url === undefined || url === sandbox.base_url;
    const found = isOwn ? sandbox : { base_url: url };
    return { ...found, ...(env['MILAAN_API_KEY'] && !isOwn && { api_key: env['MILAAN_API_KEY'] }) };
  };
  const { base_url, api_key } = find();
  if (!base_url || !URL.canParse(base_url))
    throw new StartError(
      `no sandbox was started in ${dataDir}: run milaan sandbox, or name an installation by --url and MILAAN_API_KEY`,
    );
  if (!api_key) throw new StartError(`MILAAN_API_KEY is not set: ${base_url} asks for a key`);
  return {
    dataDir,
    find,
    /** Returns the answer as JSON. A refusal becomes an error with the service's own words. */
    async ask<T>(path: string, body?: object): Promise<T> {
      const { base_url: url = '', api_key: key = '' } = find();
      const answer = await fetch(`${url}${path}`, {
        headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(askLimit),
      }).catch(error => {
        throw new Unreachable(`${url} cannot be reached (${(error.cause ?? error).code ?? error.message})`);
      });
      const said = await answer.text().catch(() => '');
      if (passing.includes(answer.status)) throw new Unreachable(`${url} answered ${answer.status}`);
      if (answer.ok) return JSON.parse(said) as T;
      throw new StartError(`${url}${path} answered ${answer.status}: ${said.slice(0, 500)}`);
    },
  };
}
