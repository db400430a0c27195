import type { Socket } from 'node:net';
import pg from 'pg';

export type Backend = { processID: number; secretKey: number; connection: { stream: Socket } };

/**
 * PostgreSQL takes the wish to stop a query on a connection of its own, which it closes once the query was told; then
 * this ends. A server that does neither in time is gone, and the connection of the query is given up with it.
 */
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
