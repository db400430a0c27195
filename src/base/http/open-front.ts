import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from './app.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

type Front = {
  /** Starts to pass requests to the app. Its hooks and routes must be complete. */
  add(app: App): Promise<void>;
  /** Closes like one app: accepts no more, finishes running answers, ends streams and closes idle connections. */
  close(): Promise<void>;
};

/** Serves several apps through `front`'s server. `appFor` chooses; `front` answers what belongs to no app. */
export function openFront(front: App, appFor: (request: IncomingMessage) => App): Front {
  const { server } = front;
  const behind: App[] = [];
  const closed = new Promise<void>(resolve => server.once('close', resolve));
  const own = server.listeners('request') as Handler[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const app = appFor(request);
    if (app === front) for (const handle of own) handle.call(server, request, response);
    else app.server.emit('request', request, response);
  });
  return {
    async add(app) {
      // The app listens exactly as long as the shared server. Its close finishes when no answer is running; only then
      // may it close what its answers need.
      Object.defineProperty(app.server, 'listening', { get: () => server.listening });
      app.server.close = done => {
        void closed.then(() => {
          app.server.emit('close');
          done?.();
        });
        return app.server;
      };
      await app.ready();
      behind.push(app);
    },
    async close() {
      // A server that never listened is already closed.
      if (!server.listening) server.emit('close');
      await Promise.all([...behind, front].map(app => app.close()));
    },
  };
}
