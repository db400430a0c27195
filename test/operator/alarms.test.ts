import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readRules } from '../drill-alarms/fires.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const rules = readRules();
const pages = [...read('docs/alarms.md').matchAll(/^## (Milaan\w+)$/gm)].map(([, name = '']) => name);
const sources = globSync('src/**/*.ts').map(read).join('\n');

test('every alarm has its page, is named on it by its rule, and is broken in the drill', () => {
  assert.ok(rules.length > 20);
  const text = read('packaging/prometheus/milaan.rules.yml');
  const drill = read('test/drill-alarms/run.ts');
  for (const { name } of rules) {
    assert.ok(pages.includes(name), `${name} has no page`);
    assert.match(text, new RegExp(`alarms#${name.toLowerCase()}\\b`), `${name} does not name its page`);
    assert.match(drill, new RegExp(`\\brings\\(\\s*'${name}'`), `${name} is not broken in the drill`);
  }
  assert.deepEqual(
    pages.filter(page => !rules.some(({ name }) => name === page)),
    [],
    'no page tells of an alarm that there is not',
  );
});

test('rules and dashboard ask for nothing that no process tells', () => {
  const asked = `${rules.map(({ expression }) => expression).join('\n')}${read('packaging/grafana/milaan.json')}`;
  const names = new Set(
    [...asked.matchAll(/\bmilaan_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, '')),
  );
  assert.ok(names.size > 15);
  assert.deepEqual(
    [...names].filter(name => !sources.includes(`'${name}'`)),
    [],
  );
});
