import { createHash, randomBytes } from 'node:crypto';
import type { Caller, DashboardSite } from './dashboard-site.ts';

/** The data that a shop's server keeps between the question and the answer. */
export type Asked = { parameters: Record<string, string>; verifier: string };

export const shopReturn = 'https://tea.example/wp-admin/admin.php?page=wc-settings&tab=checkout';

/** A well-made question, with whatever the test bends. */
export function askToConnect(bent: Record<string, string> = {}): Asked {
  const verifier = randomBytes(32).toString('base64url');
  const parameters = {
    shop_name: 'Anand Tea',
    return_url: shopReturn,
    webhook_url: 'https://tea.example/?wc-api=milaan',
    state: randomBytes(16).toString('hex'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...bent,
  };
  return { parameters, verifier };
}

/** The owner agrees; returns the address to which the browser is sent. */
export async function agree(
  owner: Caller,
  { parameters }: Asked,
  accountId: string,
): Promise<{ status: number; to: URL | null; body: string }> {
  const fields = { ...parameters, payment_account_id: accountId, answer: 'agree' };
  const answer = await owner.post('/dashboard/connect', fields);
  const { location } = answer.headers;
  return {
    status: answer.statusCode,
    to: typeof location === 'string' ? URL.parse(location, 'http://here.invalid') : null,
    body: answer.body,
  };
}

/** The shop's server asks for its key. */
export async function exchange(
  { app }: Pick<DashboardSite, 'app'>,
  body: unknown,
): Promise<{ status: number; headers: Record<string, unknown>; body: Record<string, string> }> {
  const answer = await app.inject({
    method: 'POST',
    url: '/connect/token',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}
