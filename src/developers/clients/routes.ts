import { readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { buildSdk } from './build-sdk.ts';
import { packFiles } from './pack-files.ts';
import { packZip } from './pack-zip.ts';
import { pluginFiles } from './plugin-files.ts';

const sdk = new URL('../../../sdk/', import.meta.url);
const cacheControl = 'public, max-age=300';

/** The clients for shops, from the installation that they will talk to: nobody needs a registry that has them. */
export function clientRoutes(app: App): void {
  const clients = clientsByAddress();
  app.get('/sdk/:file', async (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const client = clients.get(request.params.file);
    if (!client) throw new ApiError('not_found');
    const bytes = await client.read();
    return reply
      .headers({
        'content-type': client.type,
        'content-disposition': `attachment; filename="${client.saveAs}"`,
        'cache-control': cacheControl,
      })
      .send(bytes);
  });
}

function clientsByAddress(): Map<string, { type: string; saveAs: string; read(): Promise<Buffer> }> {
  const { version } = JSON.parse(readFileSync(new URL('package.json', sdk), 'utf8')) as { version: string };
  const name = `milaan-sdk-${version}`;
  const file = (path: string) => async () => readFileSync(new URL(path, sdk));
  // As text: nothing on the way may take it for a program to run.
  const text = 'text/plain; charset=utf-8';
  const plugin = `milaan-upi-${pluginFiles().version}.zip`;
  return new Map([
    [`${name}.tgz`, { type: 'application/gzip', saveAs: `${name}.tgz`, read: packedOnce() }],
    [`${name}.php`, { type: text, saveAs: 'Milaan.php', read: file('php/Milaan.php') }],
    [`${name}.py`, { type: text, saveAs: 'milaan.py', read: file('python/milaan.py') }],
    [plugin, { type: 'application/zip', saveAs: plugin, read: async () => packZip(pluginFiles().files) }],
  ]);
}

/** When the first one asks; a failure is not remembered. */
function packedOnce(): () => Promise<Buffer> {
  let packed: Promise<Buffer> | null = null;
  return () => {
    packed ??= packSdk().catch(error => {
      packed = null;
      throw error;
    });
    return packed;
  };
}

async function packSdk(): Promise<Buffer> {
  const files = await buildSdk();
  if (files) return await packFiles(files);
  throw new ApiError('not_found', { message: 'The package was not built on this machine: run npm ci.' });
}
