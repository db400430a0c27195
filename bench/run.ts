import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * `npm run bench` runs every benchmark, `npm run bench -- NAME…` those named, each in a process of its own so that none
 * warms or burdens the next. A benchmark is a file of bench/scenes/ that ends by calling `report`, or a part of one.
 */
const scenes = fileURLToPath(new URL('./scenes/', import.meta.url));
/** Benchmarks that are in another one's file, which takes their name as its argument. */
const parts: Record<string, string> = { csv: 'list', page: 'list', 'forwarded-alert': 'alert' };
const known = [...readdirSync(scenes).map(file => file.replace(/\.ts$/, '')), ...Object.keys(parts)].sort();
const names = process.argv.slice(2);
const unknown = names.filter(name => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(1);
}

const memory = Math.round(totalmem() / 2 ** 30);
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${process.platform} ${process.arch}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory} GiB, Node ${process.version}`,
);
const missed: string[] = [];
for (const name of names.length > 0 ? names : known) {
  console.log(`\n== ${name}`);
  const file = parts[name];
  const args = file ? [`${scenes}${file}.ts`, name] : [`${scenes}${name}.ts`];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) missed.push(name);
}
if (missed.length > 0) {
  console.log(`\nmissed or failed: ${missed.join(', ')}`);
  process.exitCode = 1;
}
