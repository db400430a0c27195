import type { FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.ts';
import type { App } from '../http/app.ts';
import { type Asset, sendAsset } from '../http/asset.ts';
import type { PageFiles } from './build-dashboard.ts';
import type { FileAddresses } from './layout.ts';

const forEver = 'public, max-age=31536000, immutable';

/** Serves the dashboard's own files under names that carry their hash. */
export function serveFiles(app: App, files: PageFiles): FileAddresses {
  const served: Record<string, Asset> = { js: files.script, css: files.style, svg: files.icon };
  app.get('/dashboard-files/:file', (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const [, hash, extension = ''] = /^dashboard-(\w+)\.(js|css|svg)$/.exec(request.params.file) ?? [];
    const asset = served[extension];
    if (!asset) throw new ApiError('not_found');
    // While a new version rolls out, a page of the other version may ask here: ours is better than none, unkept.
    return sendAsset(request, reply, asset, hash === asset.hash ? forEver : 'no-store');
  });
  const address = (extension: string) => `/dashboard-files/dashboard-${served[extension]!.hash}.${extension}`;
  return { script: address('js'), style: address('css'), icon: address('svg') };
}
