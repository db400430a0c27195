import type { Site } from './open-site.ts';

/** Pages of earlier releases, and where their text is now. Bookmarks, mails and plugins name the old addresses. */
const moved = new Map([
  ['breach', 'privacy#after-a-breach'],
  ['chats', 'app#notices-in-chats'],
  ['citus', 'cells#a-cell-on-citus'],
  ['forwarding', 'mailboxes#forwarding'],
  ['from-source', 'operating#from-source'],
  ['high-availability', 'scaling#high-availability'],
  ['laptop', 'webhooks#webhooks-on-your-laptop'],
  ['limits', 'errors#limits'],
  ['medusa', 'other-programs#medusa'],
  ['n8n', 'other-programs#n8n'],
  ['open-points', 'integration'],
  ['plans', 'running-a-platform#selling-plans'],
  ['sound-box', 'taking-payments#an-old-phone-as-the-sound-box'],
  ['what-is-kept', 'privacy#what-is-kept-how-long-and-why'],
  ['whmcs', 'other-programs#whmcs'],
]);

/** The address that replaced `asked` (a path below /docs/), as a page or, with `.md`, as plain text. */
export function findMoved({ pages }: Site, asked: string): string | null {
  const name = asked.replace(/\.md$/, '');
  // Prometheus rules of earlier releases link to one page for each alarm.
  const alarm = pages
    .get('/docs/alarms')
    ?.headings.find(({ level, text }) => level === 2 && name === `alarms/${text}`);
  const target = alarm ? `alarms#${alarm.id}` : moved.get(name);
  if (target === undefined) return null;
  return `/docs/${asked.endsWith('.md') ? target.replace(/(?=#)|$/, '.md') : target}`;
}
