type Locked = { version?: string; license?: string; dev?: boolean; optional?: boolean };

/** `docs/licences.md` lists the packages that Milaan includes, from package-lock.json. `npm run docs` writes it. */
export function licencesPage(lock: { packages: Record<string, Locked> }): string {
  const known = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'));
  const shipped = known.filter(([, { dev }]) => !dev);
  const byLicence = Map.groupBy(shipped, ([, { license }]) => license ?? 'not said');
  const rows = [...byLicence]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([licence, packages]) => {
      const names = packages.map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`);
      return `### ${licence}\n\n${[...new Set(names)].sort().join(', ')}`;
    });
  return `# Licences of what Milaan is built on

Everything that \`npm ci --omit=dev\` can install beside Milaan on any machine, ${shipped.length} packages, by the licence that each names. Packages for other processors and systems stand here too; a machine installs its own alone. ${known.length - shipped.length} more serve only those who change the program (tests, checks, pictures) and are given to nobody.

None of them asks that a program which uses it be given away under the same terms. The Mozilla licence asks it of changes in its own files, and we change none.

${rows.join('\n\n')}
`;
}
