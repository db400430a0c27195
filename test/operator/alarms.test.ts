import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readRules } from '../../drills/alarms/fires.ts';
import { operatorTexts as texts } from '../../src/texts/en/operator-texts.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const rules = readRules();
const [list = '', ...sections] = read('docs/alarms.md').split(/^(?=## )/m);
const sources = globSync('src/**/*.ts').map(read).join('\n');

test('every alarm has its heading, which its rule and the list lead to, and is broken in the drill', () => {
  assert.ok(rules.length > 20);
  const text = read('packaging/prometheus/milaan.rules.yml');
  const drill = globSync('drills/alarms/*.ts').map(read).join('\n');
  for (const { name } of rules) {
    const section = sections.find(one => one.startsWith(`## ${name}\n`)) ?? '';
    assert.match(section, /^## \w+\n\n[^\n]+\n\n\*\*What to do\.\*\* [^\n]+\n+$/, `${name} has no section`);
    const id = name.toLowerCase();
    assert.ok(text.includes(`/docs/alarms#${id}"`), `${name} does not lead to its heading`);
    assert.ok(list.includes(`[${name}](#${id})`), `${name} is not in the list`);
    assert.match(drill, new RegExp(`\\brings\\(\\s*'${name}'`), `${name} is not broken in the drill`);
  }
  assert.equal(sections.length, rules.length, 'no heading tells of an alarm that there is not');
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
