import type { FastifyInstance } from 'fastify';

/** Which methods a path takes, so that the wrong one is told apart from a path that does not exist. */
export type Methods = { at(url: string): string[] };

export function gatherMethods(app: FastifyInstance): Methods {
  const routes: { path: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', route => {
    routes.push({ path: pathPattern(route.url), methods: [route.method].flat() });
  });
  return {
    at(url) {
      const path = url.split('?', 1)[0]!;
      const found = routes.filter(route => route.path.test(path)).flatMap(route => route.methods);
      return [...new Set(found)].sort();
    },
  };
}

function pathPattern(url: string): RegExp {
  const parts = url.split('/').map(part => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
