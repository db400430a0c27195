import { readFileSync } from 'node:fs';
import { fastify } from 'fastify';
import { batchQueries } from '../../src/base/database/batch-queries.ts';
import { connect } from '../../src/base/database/connect.ts';

/**
 * The limit of every read over HTTP: a bare Fastify route that answers with the same bytes, ready-made. Its argument is
 * a file with one JSON object: answers to give in turn, and their headers. With a database, it first reads one row by
 * its key, batched with concurrent requests. That is the least cost of an answer that is not from memory.
 */
const { answers, headers, database } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as {
  answers: string[];
  headers: Record<string, string>;
  database: string | null;
};
let next = 0;

function answer(): string {
  next = (next + 1) % answers.length;
  return answers[next]!;
}

const app = fastify();
if (database === null) app.get('*', (_request, reply) => reply.headers(headers).send(answer()));
else {
  const sql = connect(database, { most: 4 });
  const askFor = batchQueries(
    (ids: readonly string[]) => sql<{ status: string }[]>`
    select o.status from unnest(${ids}::text[]) as asked (order_id)
      join orders o on o.merchant_id = 1000000000001 and o.order_id = asked.order_id`,
  );
  app.get('/api/v1/orders/:order_id', async (request, reply) => {
    await askFor((request.params as { order_id: string }).order_id);
    return reply.headers(headers).send(answer());
  });
}
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(app.listeningOrigin);
