import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from './app.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

type Front = {
  /** From now on requests may go to it. Its hooks and routes are complete. */
  add(app: App): Promise<void>;
  /** As one app closes: no more is accepted, what is under way is answered, streams end, connections close as they rest. */
  close(): Promise<void>;
};

/**
 * Several apps behind one server, that of `front`, with its limits. Which of them answers is asked before anything else;
 * `front` itself is the answer for whatever is nobody's.
 */
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
      // Its requests are heard by the one server: while that listens it does, and it is closed when nobody is answered
      // any more. Only then it ends what its answers need.
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
      // One that never listened is closed already.
      if (!server.listening) server.emit('close');
      await Promise.all([...behind, front].map(app => app.close()));
    },
  };
}
