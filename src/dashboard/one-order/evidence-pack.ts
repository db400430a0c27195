import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { selectSignedMail } from '../../alerts/judging/queries/signed-mail.ts';
import { splitHeaders } from '../../alerts/mail/split-headers.ts';
import { restoreMessageId } from '../../alerts/origin/restore-message-id.ts';
import { verifyOrigin } from '../../alerts/origin/verify-origin.ts';
import type { World } from '../../base/world.ts';
import { writeZip, type ZipFile } from '../../base/write-zip.ts';
import { presentOrder } from '../../orders/present-order.ts';
import type { Visit } from '../frame/route.ts';
import type { OrderAlert } from '../orders/queries.ts';
import { evidencePage } from './evidence-page.ts';
import type { OrderView } from './order-view.ts';

/** Everything that shows how an order was paid, for somebody who need not believe us. */
export async function evidencePack(
  world: World,
  visit: Visit,
  view: OrderView,
  alert: OrderAlert,
): Promise<Buffer> {
  const { order, purpose, mark, deeds, deliveries } = view;
  const stored = await selectSignedMail(world.sql, visit.merchantId, alert.alert_id);
  const raw = stored?.raw ? await promisify(inflate)(stored.raw).catch(() => null) : null;
  const split = raw && splitHeaders(raw);
  const mail = split?.outcome === 'split' ? split : null;
  const restored = mail && restoreMessageId(mail);
  const bank = world.banks.current().find(one => one.id === alert.bank);
  let holds = false;
  for (const { record } of stored?.keys ?? []) {
    if (holds || !mail || !bank) break;
    const moments = { arrivedAt: alert.arrived_at, now: alert.arrived_at };
    const origin = await verifyOrigin(mail, bank, async () => ({ kind: 'found', record }), moments);
    holds = origin.outcome === 'verified';
  }
  const page = evidencePage(visit, view, {
    alert,
    readBy: stored?.read_by ?? null,
    mail: raw === null ? 'gone' : holds ? 'holds' : 'not_checked',
    isRestored: restored !== null,
  });
  const decided = deeds.map(({ at, actor, action, details }) => ({ at, actor, action, details }));
  const told = deliveries.map(({ request, response, ...attempt }) => attempt);
  const data = {
    order: presentOrder(world, order),
    purpose,
    mail: alert,
    statement: mark,
    decided,
    webhooks: told,
  };
  const keys = stored?.keys.map(
    ({ record, first_seen, last_seen }) =>
      `${stored.key_name} TXT "${record}" ; seen in DNS from ${first_seen} to ${last_seen}\n`,
  );
  const files: ZipFile[] = [
    file('evidence.html', page.text),
    file('order.json', `${JSON.stringify(data, null, 2)}\n`),
    ...(raw ? [file('mail.eml', raw)] : []),
    ...(restored ? [file('mail-as-signed.eml', restored.raw)] : []),
    ...(raw ? [file('dkim-key.txt', (keys ?? []).join('')), file('verify.py', verifier)] : []),
  ];
  const sums = files.map(({ name, content }) => `${sha256(content)}  ${name}\n`);
  return writeZip([...files, file('SHA256SUMS', sums.join(''))], visit.now);
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function file(name: string, content: string | Buffer): ZipFile {
  return { name, content: Buffer.from(content) };
}

/** For Debian's python3-dkim (dkimpy), which knows nothing of us. */
const verifier = `# Checks the mail beside it with the keys in dkim-key.txt, instead of those in DNS today.
# python3 verify.py   (needs dkimpy: Debian's package python3-dkim)
import os, re, sys
import dkim

here = os.path.dirname(os.path.abspath(__file__))
read = lambda name: open(os.path.join(here, name), 'rb').read()
signed = 'mail-as-signed.eml' if os.path.exists(os.path.join(here, 'mail-as-signed.eml')) else 'mail.eml'
for name, record in re.findall(rb'^(\\S+) TXT "(.*)" ;', read('dkim-key.txt'), re.M):
    answer = lambda asked, timeout=5: record if asked.rstrip(b'.').lower() == name else None
    for number in range(8):
        try:
            if dkim.DKIM(read(signed)).verify(idx=number, dnsfunc=answer):
                print(signed, 'was signed with the key', name.decode())
                sys.exit(0)
        except dkim.DKIMException:
            pass
sys.exit('no signature of ' + signed + ' holds')
`;
