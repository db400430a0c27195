import type { FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import type { App } from './app.ts';
import { type Asset, forEver, sendAsset } from './asset.ts';

export type ServedFiles<File = Asset> = { script: File; style: File; icon: File };

export function serveFiles(app: App, folder: string, name: string, files: ServedFiles): ServedFiles<string> {
  const served: Record<string, Asset> = { js: files.script, css: files.style, svg: files.icon };
  const form = new RegExp(`^${name}-(\\w+)\\.(js|css|svg)$`);
  app.get(`${folder}/:file`, (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
    const [, hash, extension = ''] = form.exec(request.params.file) ?? [];
    const asset = served[extension];
    if (!asset) throw new ApiError('not_found');
    // During an upgrade, pages of another version may ask here. Our file is better than none, but must not be cached.
    return sendAsset(request, reply, asset, hash === asset.hash ? forEver : 'no-store');
  });
  const address = (extension: string) => `${folder}/${name}-${served[extension]!.hash}.${extension}`;
  return { script: address('js'), style: address('css'), icon: address('svg') };
}
