import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { customerTags } from '../../src/texts/language-tags.ts';
import { languageIn } from './customer-languages.ts';

/**
 * The fonts of the tests' browser, on every machine: Roboto, as on most customers' phones, or DejaVu,
 * the widest that a page meets, as on many a Linux. The scripts of India are Noto's in both. `npm ci` brings the fonts.
 */
export type Fonts = 'usual' | 'wide';

const roboto = '@expo-google-fonts/roboto';
const further = [...new Set(customerTags.map(tag => languageIn(tag).fontPackage))];
const noto = further.filter(name => name !== roboto);
const dejaVu = 'dejavu-fonts-ttf';
/** DejaVu supplies what Roboto lacks, such as a tick and letters of one width. */
const brought: Record<Fonts, { packages: string[]; first: string }> = {
  usual: { packages: [roboto, ...noto, dejaVu], first: 'Roboto' },
  wide: { packages: [...noto, dejaVu], first: 'DejaVu Sans' },
};

/** The file for `FONTCONFIG_FILE`: these fonts, and none of the machine's. */
export function fontsFile(fonts: Fonts): string {
  const { packages, first } = brought[fonts];
  const folder = resolve('node_modules/.cache/milaan-fonts');
  const file = `${folder}/${fonts}.conf`;
  const means = (family: string, font: string) =>
    `<alias binding="strong"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  mkdirSync(folder, { recursive: true });
  // Others may be reading it.
  writeFileSync(
    `${file}.${process.pid}`,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${packages.map(name => `<dir>${resolve('node_modules', name)}</dir>`).join('\n')}
<cachedir>${folder}/${fonts}</cachedir>
<selectfont><rejectfont><glob>*/DejaVuMath*</glob></rejectfont></selectfont>
${means('sans-serif', first)}
${means('monospace', 'DejaVu Sans Mono')}
<match><edit name="family" mode="append_last"><string>${first}</string></edit></match>
</fontconfig>
`,
  );
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
