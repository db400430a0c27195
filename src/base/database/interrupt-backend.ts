import type { Socket } from 'node:net';
import pg from 'pg';

export type Backend = { processID: number; secretKey: number; connection: { stream: Socket } };

/** Cancels a query on a separate connection. If the server stays silent, the query's connection is given up too. */
export function interruptBackend(
  { processID, secretKey, connection }: Backend,
  settings: pg.ClientConfig,
  silence: number,
): Promise<void> {
  const caller = new pg.Client(settings) as unknown as {
    host: string;
    port: number;
    connection: pg.Connection & {
      stream: Socket;
      cancel(processId: number, secretKey: number): void;
      connect(port: number, host: string): void;
    };
  };
  const wish = caller.connection;
  return new Promise(resolve => {
    const timer = setTimeout(() => {
      connection.stream.destroy();
      wish.stream.destroy();
    }, silence);
    wish.on('error', () => {});
    wish.on('end', () => {
      clearTimeout(timer);
      resolve();
    });
    wish.on('connect', () => wish.cancel(processID, secretKey));
    wish.connect(caller.port, caller.host);
  });
}
