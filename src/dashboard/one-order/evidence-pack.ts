import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { seenKeys } from '../../alerts/judging/queries/keys.ts';
import { selectPaidMail } from '../../alerts/judging/queries/paid-alerts.ts';
import { splitHeaders } from '../../alerts/mail/split-headers.ts';
import { restoreMessageId } from '../../alerts/origin/restore-message-id.ts';
import type { World } from '../../base/world.ts';
import { packZip } from '../../developers/clients/pack-zip.ts';
import type { Visit } from '../frame/route.ts';
import type { OrderAlert } from '../orders/queries.ts';
import { evidencePage } from './evidence-page.ts';
import type { OrderView } from './order-view.ts';

const mostKeys = 50;

/** Everything that shows how an order was paid, for somebody who need not believe us. */
export async function evidencePack(
  { sql }: World,
  visit: Visit,
  view: OrderView,
  alert: OrderAlert,
): Promise<Buffer> {
  const { raw: packed, read_by: readBy } = await selectPaidMail(sql, visit.merchantId, alert.alert_id);
  const raw = packed && (await promisify(inflate)(packed).catch(() => null));
  const mail = raw && splitHeaders(raw);
  const restored = mail?.outcome === 'split' ? restoreMessageId(mail) : null;
  const keyName = `${alert.selector}._domainkey.${alert.signing_domain}`.toLowerCase();
  const proof = { alert, readBy, isGone: raw === null, isRestored: restored !== null };
  const files: Record<string, string | Buffer> = { 'evidence.html': evidencePage(visit, view, proof).text };
  if (raw) {
    files['mail.eml'] = raw;
    if (restored) files['mail-as-signed.eml'] = restored.raw;
    const times = (from: Date, to: Date) => `from ${from.toISOString()} to ${to.toISOString()}`;
    files['dkim-key.txt'] = (await seenKeys(sql, keyName, mostKeys))
      .map(key => `${keyName} TXT "${key.record}" ; seen in DNS ${times(key.first_seen, key.last_seen)}\n`)
      .join('');
    // For Debian's python3-dkim, which knows nothing of us.
    files['verify.py'] = readFileSync(new URL('./verify-evidence.py', import.meta.url));
  }
  const sums = Object.entries(files).map(([name, content]) => `${sha256(content)}  ${name}\n`);
  const named = Object.entries({ ...files, SHA256SUMS: sums.join('') });
  return packZip(new Map(named.map(([name, content]) => [name, Buffer.from(content)])));
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
