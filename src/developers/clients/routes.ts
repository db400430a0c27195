import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../base/http/api-error.ts';
import type { App } from '../../base/http/app.ts';
import { tarEnd, tarEntry } from '../../base/tar.ts';
import { buildSdk, type PackageFiles } from './build-sdk.ts';
import { packZip } from './pack-zip.ts';

const sdk = new URL('../../../sdk/', import.meta.url);
const cacheControl = 'public, max-age=300';

/** Serves the shops' client libraries from the installation they will call, so no package registry is needed. */
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
  // Served as plain text, so that no proxy or browser runs it as a program.
  const text = 'text/plain; charset=utf-8';
  const plugin = `milaan-upi-${pluginFiles().version}.zip`;
  return new Map([
    [`${name}.tgz`, { type: 'application/gzip', saveAs: `${name}.tgz`, read: packedOnce() }],
    [`${name}.php`, { type: text, saveAs: 'Milaan.php', read: file('php/Milaan.php') }],
    [`${name}.py`, { type: text, saveAs: 'milaan.py', read: file('python/milaan.py') }],
    [plugin, { type: 'application/zip', saveAs: plugin, read: async () => packZip(pluginFiles().files) }],
  ]);
}

/** Packs at the first request. A failure is not remembered. */
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

/** The time that npm itself writes into packages. A fixed time makes the same sources give the same bytes. */
const packedAt = new Date(Date.UTC(1985, 9, 26, 8, 15));

/** A package as npm installs it: a compressed tar archive (POSIX ustar) with all files below `package/`. */
export async function packFiles(files: PackageFiles): Promise<Buffer> {
  const entries = Object.entries(files).map(([path, text]) =>
    tarEntry({ name: `package/${path}`, content: Buffer.from(text) }, packedAt, 0o644),
  );
  return await promisify(gzip)(Buffer.concat([...entries, tarEnd]), { level: 9 });
}

const root = join(import.meta.dirname, '../../..');
const folder = join(root, 'plugins/woocommerce');
const slug = 'milaan-upi';

/** A shop's download: the plugin's folder and the PHP client. */
export function pluginFiles(): { slug: string; version: string; files: Map<string, Buffer> } {
  const read = (path: string) => readFileSync(join(folder, path));
  const version = /^ \* Version: (\S+)$/m.exec(read(`${slug}.php`).toString())?.[1] ?? '';
  const files = new Map<string, Buffer>();
  for (const path of globSync('**/*', { cwd: folder }).sort()) {
    if (statSync(join(folder, path)).isFile()) files.set(`${slug}/${path}`, read(path));
  }
  files.set(`${slug}/includes/Milaan.php`, readFileSync(join(root, 'sdk/php/Milaan.php')));
  return { slug, version, files };
}
