import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The modules of src/ in their order: a module imports itself and the modules before it. STYLE.md has the same list. */
export const modules = [
  'texts',
  'base',
  'outbox',
  'business',
  'orders',
  'payments',
  'alerts',
  'privacy',
  'developers',
  'sandbox',
  'operator',
  'dashboard',
];

/**
 * The sub-folders of a module in their order, by the same rule; files that stand loose in a module are no part of it. What
 * judges a mail is the first four of `alerts` and `judge-mail.ts`: they import nothing but each other, texts and base.
 */
export const subFolders: Record<string, readonly string[]> = {
  texts: ['en', 'hi', 'customers'],
  base: ['settings', 'network', 'database', 'http'],
  outbox: ['mails', 'pushes', 'notices', 'webhooks'],
  business: ['merchants', 'accounts'],
  orders: ['history', 'page', 'links', 'sales'],
  payments: ['matching', 'review', 'statements'],
  alerts: [
    'mail',
    'origin',
    'banks',
    'reading',
    'addresses',
    'book',
    'judging',
    'held',
    'mailboxes',
    'forwarding',
    'workshop',
  ],
  privacy: ['queries'],
  developers: ['clients', 'connect', 'listening', 'docs-site'],
  operator: ['running', 'backup', 'doctor', 'moving', 'cells', 'commands'],
  dashboard: [
    'frame',
    'front',
    'account',
    'sign-in',
    'team',
    'upi-accounts',
    'plan',
    'mailbox',
    'payments',
    'search',
    'shop',
    'privacy',
    'webhooks',
    'first-steps',
    'integrations',
    'reports',
    'home',
    'notices',
    'counter',
    'one-order',
    'statement',
    'operator',
  ],
};

/** Entry points import anything, and nobody imports an entry point. */
export const entryPoints = ['main.ts', 'start.ts', 'start-roles.ts', 'cli.ts'];

/** A file and the files of ours that it imports, types included. */
export type Imports = Map<string, string[]>;

const specifier =
  /^(?:import|export)\s[^;'"]*?\sfrom\s*'(\.[^']+)'|^import\s*'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/gm;

/** Reads what the TypeScript files under these folders of a checkout import of each other. */
export function readImports(checkout: string, folders: string[]): Imports {
  const paths = folders.flatMap(folder =>
    readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.ts') && !path.includes('node_modules'))
      .map(path => normalize(join(folder, path)))
      .sort(),
  );
  const known = new Set(paths);
  return new Map(
    paths.map(path => {
      const text = readFileSync(join(checkout, path), 'utf8');
      const targets = [...text.matchAll(specifier)].map(([, from, bare, dynamic]) =>
        normalize(join(dirname(path), (from ?? bare ?? dynamic)!)),
      );
      return [path, [...new Set(targets)].filter(target => known.has(target))];
    }),
  );
}

/** A graph's nodes in groups, lowest first; a group of more than one is a circle. */
export function groupCircles(graph: Map<string, Iterable<string>>): string[][] {
  const seen = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string) => {
    seen.set(node, seen.size);
    low.set(node, seen.get(node)!);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!seen.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) === seen.get(node)) groups.push(stack.splice(stack.indexOf(node)).sort());
  };
  for (const node of [...graph.keys()].sort()) if (!seen.has(node)) visit(node);
  return groups;
}

/** Files that import an entry point, or a later module or submodule. */
export function breachesOf(imports: Imports): string[] {
  const isBefore = (list: readonly string[], to: string, from: string) =>
    list.includes(to) && list.indexOf(to) <= list.indexOf(from);
  const allows = (path: string, target: string): boolean => {
    const [, module = '', sub = '', ...below] = path.split('/');
    const [, otherModule = '', otherSub = '', ...otherBelow] = target.split('/');
    if (entryPoints.includes(module)) return true;
    if (entryPoints.includes(otherModule)) return false;
    if (module !== otherModule) return isBefore(modules, otherModule, module);
    const order = subFolders[module];
    if (order === undefined || below.length === 0 || otherBelow.length === 0) return true;
    return isBefore(order, otherSub, sub);
  };
  return [...imports].flatMap(([path, targets]) =>
    targets.filter(target => !allows(path, target)).map(target => `${path} imports ${target}`),
  );
}

/** Joins a graph of files into one of places; a file whose place is undefined is left out. */
export function between(imports: Imports, placeOf: (path: string) => string | undefined) {
  const arrows = new Map<string, Set<string>>();
  for (const [path, targets] of imports) {
    const from = placeOf(path);
    if (from === undefined) continue;
    if (!arrows.has(from)) arrows.set(from, new Set());
    for (const target of targets) {
      const to = placeOf(target);
      if (to !== undefined && to !== from) arrows.get(from)!.add(to);
    }
  }
  return arrows;
}
