import { resolve } from 'node:path';

/**
 * `npm run drill` lists what there is; `npm run drill -- NAME …` plays one, with its own options behind the name.
 * A drill takes long, needs programs of its own or breaks things: what `npm test` is not for.
 */
const drills: Record<string, string> = {
  faults:
    'kills, stops and cuts off processes under load: --minutes 30 --seed 7, --plan machines or scenes --mails 100000',
  soak: 'a common day at a steady rate, of which nothing may rise: --minutes 60 --rate 480 --out FOLDER, --leak',
  model: 'random histories against a model of the service: --runs 1000 --seconds 600',
  mutate: 'random changes of genuine mails, none of which may pay: --count 100000 --seed 1',
  standby:
    'the database fails and another takes over: --rounds 4, --async for the control; patroni, processes, or clocks --steps 3,15',
  'two-versions': 'the release before and this one on one database: --from COMMIT, 0.2.0 unless named',
  guides: 'what README and the guides tell to type, typed: newcomer, source, upgrade',
  citus:
    'a cell on a Citus cluster that CITUS_DIR brings: what it costs, moved and killed under load: ORDERS, or FILES',
  proxy: 'the samples for nginx and Caddy, as they are in packaging/proxy',
  move: 'a business leaves for another installation and moves inside one, killed at each step',
  cells:
    'several databases behind one address; kills, cell 0 down, a failover: --seconds 180; move [haproxy | pgbouncer]; or upgrade',
  backup: 'backups written, tried, dropped and restored, with age and pgBackRest',
  privacy: 'a person is erased while alerts arrive, and a restored backup erases again',
  alarms: 'one real thing is broken after another until Prometheus rings: NAMES of alarms',
  deb: 'the package, built twice, in a fresh Debian: installed, set up, paid, upgraded, removed',
  container: 'the image built, run by its roles, paid and upgraded: image, compose, memory',
  woo: 'buys in a real WooCommerce that WOO_DIR names: --only WORD, --pace 3, --pictures',
  medusa: 'sells by the store API of a real Medusa in MEDUSA_DIR',
  n8n: 'our nodes in a real n8n that N8N_DIR names: an order, its payment, and forged events',
  react: 'builds the recipes for Next.js and Vite from packed packages, and buys in them',
  npx: 'the npm packages in an empty folder: one command, events on a laptop, the verifier',
  'strange-machine': 'tests on machines that are strange in one way each: NAMES of scenes',
  screens:
    'a browser looks at every page and screen: FOLDER NAMES; docs NAMES; or lighthouse page or dashboard',
  mcp: 'tools for agents, packed, installed and called by the official client',
};

/** Names of earlier releases, and what to type now. */
const moved: Record<string, string> = {
  mailbox:
    'npm run drill -- faults --plan scenes --only renumbered, or npm test -- test/drills/mailbox.long.test.ts',
  clocks: 'npm run drill -- standby clocks',
  patroni: 'npm run drill -- standby patroni',
  screenshots: 'npm run drill -- screens [FOLDER [NAMES]]',
  pictures: 'npm run drill -- screens docs [NAMES]',
  lighthouse: 'npm run drill -- screens lighthouse [page|dashboard]',
  sizes: 'npm test -- test/orders/page/assets.test.ts, or npm run bench -- page',
  suite: 'npm test -- --times=5 --load=2 [FILES]',
  'postgres-15': 'npm run test:all -- --postgres=debian [FILES]',
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
} else if (name in moved) {
  console.error(`the drill ${name} is now: ${moved[name]}`);
  process.exitCode = 1;
} else {
  console.error(`no drill is called ${name}: npm run drill lists them`);
  process.exitCode = 1;
}
