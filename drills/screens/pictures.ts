import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Saturday } from './saturday.ts';

type Picture = {
  name: string;
  path: (shop: Saturday) => string;
  /** A sheet is as it leaves the printer. */
  size: 'phone' | 'desktop' | 'sheet';
  language?: 'en' | 'hi';
  /** A customer's page; the others are the owner's. */
  open?: true;
  press?: string;
};

/** The pictures in README and documentation, one per line. Each is docs/pictures/NAME.png. */
export const pictures: readonly Picture[] = [
  { name: 'counter', path: shop => shop.ringing, size: 'phone' },
  { name: 'counter-desktop', path: shop => shop.ringing, size: 'desktop' },
  { name: 'box', path: () => '/dashboard/counter/box', size: 'phone', press: '[data-start]' },
  { name: 'links', path: () => '/dashboard/links', size: 'desktop' },
  { name: 'link', path: shop => shop.linkPage, size: 'phone', open: true },
  { name: 'poster', path: shop => shop.linkPoster, size: 'sheet' },
  { name: 'poster-account', path: shop => shop.accountPoster, size: 'sheet' },
  { name: 'payment-page', path: shop => shop.page, size: 'phone', open: true },
  { name: 'paid', path: shop => `${shop.paid.path}?stay=1`, size: 'phone', open: true },
  { name: 'home', path: () => '/dashboard', size: 'phone' },
  { name: 'home-hindi', path: () => '/dashboard', size: 'phone', language: 'hi' },
  { name: 'home-desktop', path: () => '/dashboard', size: 'desktop' },
  { name: 'order', path: shop => `/dashboard/orders/${shop.paid.orderId}`, size: 'desktop' },
  { name: 'woocommerce-consent', path: shop => shop.consent, size: 'desktop' },
];

/** The pictures of pages of a WooCommerce, and the files of the plugin whose words they show. */
export const pluginPictures: Readonly<Record<string, readonly string[]>> = {
  'woocommerce-settings': ['includes/settings.php', 'includes/gateway.php'],
  'woocommerce-connected': [
    'includes/settings.php',
    'includes/gateway.php',
    'includes/connect.php',
    'includes/test-connection.php',
  ],
  'woocommerce-checkout': ['includes/settings.php', 'includes/gateway.php', 'assets/checkout-block.js'],
  'woocommerce-order': ['includes/settle-paid.php'],
};

export const picturesFolder = 'docs/pictures';
/** Lists what each picture was made from, next to the pictures. */
const madeFromFile = `${picturesFolder}/made-from.json`;

export function readHashes(): Record<string, string> {
  return JSON.parse(readFileSync(madeFromFile, 'utf8'));
}

/** Writes these hashes into the list, which keeps the others and has no pictures that are gone. */
export function recordHashes(hashes: Record<string, string>): void {
  const known = { ...readHashes(), ...hashes };
  const names = [...pictures.map(({ name }) => name), ...Object.keys(pluginPictures)];
  const list = Object.fromEntries(names.map(name => [name, known[name] ?? '']));
  writeFileSync(madeFromFile, `${JSON.stringify(list, null, 2)}\n`);
}

/**
 * A hash of what a picture is made from: the screen's words, tags and classes, and its rules of style. Figures, ids and
 * attributes are left out, so it is the same on every machine and at every hour.
 */
export async function madeFrom(shop: Saturday, { path, open, language = 'en' }: Picture): Promise<string> {
  const { body, statusCode } = await shop.ask(path(shop), { 'accept-language': language });
  if (statusCode !== 200) throw new Error(`${path(shop)}: ${statusCode}`);
  const shown = body
    .replaceAll(/<svg[\s\S]*?<\/svg>/g, '<svg>')
    .replaceAll(/<(\/?[a-z]\w*)([^>]*)>/g, (_, tag: string, rest: string) => {
      const [kind = ''] = /class="[^"]*"/.exec(rest) ?? [];
      return `<${tag} ${kind}>`;
    })
    .replaceAll(/https:\S+/g, '#')
    // Before the figures: one id in sixteen happens to have none.
    .replaceAll(/\b(?:ML-|acc_|evt_)\w+/g, '#')
    .replaceAll(/[\w@./:-]*\d[\w@./:,-]*/g, '#')
    .replaceAll(/\s+/g, ' ');
  const rules = stylesOf(open ? shop.styles.page : shop.styles.dashboard, body);
  return createHash('sha256').update(shown).update(rules).digest('hex').slice(0, 16);
}

/** A hash of the plugin's strings: its words, tags and fields. Code and comments are left out. */
export function madeFromPlugin(name: string, read = readPlugin): string {
  const hash = createHash('sha256');
  for (const file of pluginPictures[name] ?? [])
    for (const [found] of read(file).matchAll(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g))
      if (!found.startsWith('/')) hash.update(found);
  return hash.digest('hex').slice(0, 16);
}

export function readPlugin(file: string): string {
  return readFileSync(`plugins/woocommerce/${file}`, 'utf8');
}

/** Without the rules for classes that the screen has not: a change of another screen leaves its picture as it is. */
function stylesOf(style: string, body: string): string {
  const has = new Set([...body.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')));
  const isMeant = (rule: string) => {
    const classes = /^[^{]*/.exec(rule)?.[0].match(/\.[a-z][\w-]*/g) ?? [];
    return classes.length === 0 || classes.some(one => has.has(one.slice(1)));
  };
  return style.split('}').filter(isMeant).join('}');
}
