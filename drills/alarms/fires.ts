import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { alarmRules } from '../../scripts/alarm-files.ts';
import type { Scrape } from './scrape.ts';

const rulesFile = resolve('packaging/prometheus/milaan.rules.yml');
/** Minutes of the scrape before the fault, then of the one after it. */
const before = 5;
const after = 40;

/**
 * Whether Prometheus itself, given the two scrapes, rings after the fault and was silent before; else what it says. With
 * a cell, only the alarm that carries its label counts.
 */
export function fires(
  folder: string,
  alarm: string,
  calm: Scrape,
  broken: Scrape,
  cell?: number,
): string | null {
  const rule = alarmRules.find(({ name }) => name === alarm);
  if (!rule) return `there is no rule ${alarm}`;
  const names = new Set(rule.expr.match(/[a-z][a-z0-9_]*(?:_seconds_bucket|_total|_\w+)|up/g));
  const keys = [...new Set([...calm.keys(), ...broken.keys()])].filter(key =>
    names.has(key.slice(0, key.indexOf('{'))),
  );
  const series = keys.map(key => {
    const write = (value: number | undefined, times: number) =>
      value === undefined ? `_x${times}` : `${value}+0x${times - 1}`;
    return { series: key, values: `${write(calm.get(key), before)} ${write(broken.get(key), after)}` };
  });
  const label = cell === undefined ? '' : `,cell="${cell}"`;
  const at = (minute: number, samples: unknown[]) => ({
    expr: `max(ALERTS{alertname="${alarm}",alertstate="firing"${label}})`,
    eval_time: `${minute}m`,
    exp_samples: samples,
  });
  const test = {
    rule_files: [rulesFile],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: series,
        promql_expr_test: [
          at(before - 1, []),
          at(before + Number.parseInt(rule.for ?? '0', 10) + 1, [{ labels: '{}', value: 1 }]),
        ],
      },
    ],
  };
  const file = join(folder, `${alarm}.test.yml`);
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify(test, null, 1));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  return status === 0 ? null : `${stdout}${stderr}\n${JSON.stringify(series, null, 1)}`;
}
