import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { readRules } from '../../drills/alarms/fires.ts';
import * as texts from '../../src/texts/en/texts.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const rules = readRules();
const pages = globSync('docs/alarms/*.md').map(file => basename(file, '.md'));
const sources = globSync('src/**/*.ts').map(read).join('\n');

test('every alarm has its page, which its rule and the list lead to, and is broken in the drill', () => {
  assert.ok(rules.length > 20);
  const text = read('packaging/prometheus/milaan.rules.yml');
  const list = read('docs/alarms.md');
  const drill = globSync('drills/alarms/*.ts').map(read).join('\n');
  for (const { name } of rules) {
    assert.ok(pages.includes(name), `${name} has no page`);
    const page = read(`docs/alarms/${name}.md`);
    assert.match(page, new RegExp(`^# ${name}\\n\\n[^\\n]+\\n\\n\\*\\*What to do\\.\\*\\* [^\\n]+\\n$`));
    assert.ok(text.includes(`/docs/alarms/${name}"`), `${name} does not lead to its page`);
    assert.ok(list.includes(`(alarms/${name}.md)`), `${name} is not in the list`);
    assert.match(drill, new RegExp(`\\brings\\(\\s*'${name}'`), `${name} is not broken in the drill`);
  }
  assert.deepEqual(
    pages.filter(page => !rules.some(({ name }) => name === page)),
    [],
    'no page tells of an alarm that there is not',
  );
});

test('the dashboard shows whatever an alarm rings for', () => {
  const shown = read('packaging/grafana/milaan.json');
  const asked = rules.flatMap(({ expression }) => expression.match(/\bmilaan_[a-z_]+/g) ?? []);
  assert.deepEqual(
    asked.filter(name => !shown.includes(name)),
    [],
  );
});

test('the operator’s screen has a sentence for every alarm but the one that takes the screen away too', () => {
  const { alarm, alarmOfBank, alarmOfProcess } = texts.operator;
  assert.deepEqual(
    [
      ...Object.keys({ ...alarm, ...alarmOfBank, ...alarmOfProcess }),
      'MilaanRoutineFailed',
      'MilaanNotReady',
    ].sort(),
    rules.map(({ name }) => name).sort(),
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
