import type { AddressInfo } from 'node:net';
import { Milaan, type MilaanOptions } from '../../sdk/src/milaan.ts';
import { openTestApi, type TestApi } from './api.ts';

export type ListeningApi = TestApi & {
  url: string;
  client(options?: Partial<MilaanOptions>): Milaan;
};

/** The orders API on a real socket, as a shop's server reaches it. */
export async function openListeningApi(env: Record<string, string> = {}): Promise<ListeningApi> {
  const api = await openTestApi(env);
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    ...api,
    url,
    client: (options = {}) => new Milaan({ baseUrl: url, apiKey: api.merchant.apiKey, ...options }),
  };
}
