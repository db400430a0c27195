import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { alarmRules, alarmsPage, rulesFile } from '../../scripts/alarm-files.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const rulesText = read('packaging/prometheus/milaan.rules.yml');
const page = read('docs/alarms.md');
const asked = (text: string) => text.match(/\bmilaan_[a-z_]+/g) ?? [];
const expressions = alarmRules.map(({ expr }) => expr).join('\n');

test('Prometheus’s rules and the page of alarms match the table: after a change, `npm run docs`', () => {
  assert.equal(rulesText, rulesFile());
  assert.equal(page, alarmsPage());
});

test('every alarm has its heading, linked from its rule and the list, and rings in the drill', () => {
  assert.ok(alarmRules.length > 20);
  const drill = globSync('drills/alarms/*.ts').map(read).join('\n');
  const [list = '', ...sections] = page.split(/^(?=## )/m);
  for (const { name } of alarmRules) {
    const section = sections.find(one => one.startsWith(`## ${name}\n`)) ?? '';
    assert.match(section, /^## \w+\n\n[^\n]+\n\n\*\*What to do\.\*\* [^\n]+\n+$/, `${name} has no section`);
    const id = name.toLowerCase();
    assert.ok(rulesText.includes(`/docs/alarms#${id}"`), `${name} does not lead to its heading`);
    assert.ok(list.includes(`[${name}](#${id})`), `${name} is not in the list`);
    assert.match(drill, new RegExp(`\\brings\\(\\s*'${name}'`), `${name} is not broken in the drill`);
  }
  assert.equal(sections.length, alarmRules.length, 'every heading is an alarm');
});

test('a message names only facts that Prometheus and the screen can fill in', () => {
  assert.doesNotMatch(rulesText, /undefined|\{(?:count|time|process|bank|routine|cell)\}/);
  assert.equal(rulesText.match(/^ {10}summary: "[^\n]+"$/gm)?.length, alarmRules.length);
});

test('the dashboard shows every alarm’s figure', () => {
  const shown = read('packaging/grafana/milaan.json');
  assert.deepEqual(
    asked(expressions).filter(name => !shown.includes(name)),
    [],
  );
});

test('rules and dashboard use only metrics that a process has', () => {
  const sources = globSync('src/**/*.ts')
    .filter(path => path !== 'src/operator/alarms.ts')
    .map(read)
    .join('\n');
  const names = new Set(
    asked(`${expressions}${read('packaging/grafana/milaan.json')}`).map(name => name.replace(/_bucket$/, '')),
  );
  assert.ok(names.size > 15);
  assert.deepEqual(
    [...names].filter(name => !sources.includes(`'${name}'`)),
    [],
  );
});
