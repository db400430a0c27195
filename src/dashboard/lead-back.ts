import { type DashboardRoute, redirect } from './route.ts';

/**
 * A form that was refused is shown again under the address it was sent to, where a reload, a bookmark or the way on
 * after a fresh sign-in would find nothing. Such an address leads to the nearest page above it.
 */
export function leadBack(routes: readonly DashboardRoute[]): DashboardRoute[] {
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path as string));
  return routes
    .filter(({ method, path }) => method === 'POST' && !pages.has(path))
    .map(({ path, permission }) => {
      let above: string = path;
      while (!pages.has(above)) above = parentOf(above);
      const depth = above.split('/').length;
      const way = { method: 'GET', path } as const;
      const to = (url: string) => {
        const [here = '', ...query] = url.split('?');
        return redirect([here.split('/').slice(0, depth).join('/'), ...query].join('?'));
      };
      return permission === 'anyone'
        ? { ...way, permission, handle: async (_world, { url }) => to(url) }
        : { ...way, permission: 'self', handle: async (_world, { url }) => to(url) };
    });
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
