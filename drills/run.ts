import { resolve } from 'node:path';

/**
 * `npm run drill` lists what there is; `npm run drill -- NAME …` plays one, with its own options behind the name.
 * A drill takes long, needs programs of its own or breaks things: what `npm test` is not for.
 */
const drills: Record<string, string> = {
  faults: 'kills, stops and cuts off processes under load: --minutes 30 --seed 7, --plan machines or scenes',
  soak: 'a common day at a steady rate, of which nothing may rise: --minutes 60 --rate 480 --out FOLDER, --leak',
  model: 'random histories against a model of the service: --runs 1000 --seconds 600',
  mutate: 'random changes of genuine mails, none of which may pay: --count 100000 --seed 1',
  mailbox: 'a mail server that resets and renumbers: MESSAGES RESETS RENUMBERINGS, or renumbered MESSAGES',
  clocks: "the database's clock steps under load, and a standby that is ahead takes over",
  standby: 'the database is killed and its standby promoted: --rounds 4, or --async for the control',
  'two-versions': 'the release before and this one on one database: --from COMMIT, 0.1.0 unless named',
  guides: 'what README and the guides tell to type, typed: newcomer, source, upgrade',
  'postgres-15': "the second tier of the tests on Debian's PostgreSQL, or FILES",
  patroni: 'the leader of a cluster of three is killed: --rounds 3',
  citus:
    'a cell on a Citus cluster that CITUS_DIR brings: what it costs, moved and killed under load: ORDERS, or FILES',
  proxy: 'the samples for nginx and Caddy, as they are in packaging/proxy',
  move: 'a business leaves for another installation and moves inside one, killed at each step',
  cells:
    'two databases and a third behind one address; moves, kills and a failover under load: --seconds 180',
  backup: 'backups written, tried, dropped and restored, with age and pgBackRest',
  privacy: 'a person is erased while alerts arrive, and a restored backup erases again',
  alarms: 'one real thing is broken after another until Prometheus rings: NAMES of alarms',
  deb: 'the package, built twice, in a fresh Debian: installed, set up, paid, upgraded, removed',
  container: 'the image built, run by its roles, paid and upgraded: image, compose, memory',
  woo: 'buys in a real WooCommerce that WOO_DIR names: --only WORD, --pace 3, --pictures FOLDER',
  medusa: 'sells by the store API of a real Medusa in MEDUSA_DIR',
  n8n: 'our nodes in a real n8n that N8N_DIR names: an order, its payment, and forged events',
  react: 'builds the recipes for Next.js and Vite from packed packages, and buys in them',
  npx: 'the npm packages in an empty folder: one command, events on a laptop, the verifier',
  'strange-machine': 'tests on machines that are strange in one way each: NAMES of scenes',
  screenshots: 'every page and screen, to be looked at: FOLDER, then NAMES of dashboard screens',
  pictures: 'the pictures of README and docs, from a Saturday with eighty payments: NAMES',
  lighthouse: 'pages and screens on a slow phone, against their goals: page or dashboard',
  suite: 'the tests again and again beside busy processes: --times 5 --load 2 --tier all, FILES',
  mcp: 'tools for agents, packed, installed and called by the official client',
  sizes: "what a customer's line must carry, against its budgets",
};

// Drills start the program again and again: what Node made of the sources is kept, as the tests do it, and here
// wherever a drill's tools run, or what they pack would carry it.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/milaan-tests');
const name = process.argv[2];
if (name === undefined) {
  for (const [drill, line] of Object.entries(drills)) console.log(`${drill.padEnd(15)} ${line}`);
} else if (name in drills) {
  process.argv.splice(2, 1);
  await import(`./${name}/run.ts`);
} else {
  console.error(`no drill is called ${name}: npm run drill lists them`);
  process.exitCode = 1;
}
