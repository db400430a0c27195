import { globSync, readFileSync } from 'node:fs';

/** A fenced block of the documentation that is marked `run=name`, `check=name` or `recipe=name`. */
export type Sample = {
  file: string;
  line: number;
  language: string;
  run: string | null;
  check: string | null;
  recipe: string | null;
  code: string;
};

/** Every marked sample of docs/ and of the SDK's page. */
export function readSamples(): Sample[] {
  const files = [...globSync('docs/**/*.md'), 'sdk/README.md'].sort();
  return files.flatMap(file => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/^```(\w+) ([^\n]*)\n([\s\S]*?)^```$/gm)].flatMap(match => {
      const [, language = '', attributes = '', code = ''] = match;
      const attribute = (name: string) => new RegExp(`\\b${name}=([\\w-]+)`).exec(attributes)?.[1] ?? null;
      const [run, check, recipe] = [attribute('run'), attribute('check'), attribute('recipe')];
      const line = text.slice(0, match.index).split('\n').length;
      return run || check || recipe ? [{ file, line, language, run, check, recipe, code }] : [];
    });
  });
}
