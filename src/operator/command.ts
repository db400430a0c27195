import type { Config } from '../base/settings/config.ts';
import type { Environment } from '../base/settings/find-settings.ts';
import type { World } from '../base/world.ts';

type Options = Record<string, string>;

/** `flag` marks an option without a value. */
type Option = { meaning: string; required?: boolean; flag?: true };

/** One of the operator's commands. The number it returns is the exit code. */
export type Command = {
  summary: string;
  options?: Record<string, Option>;
  /** The settings that only this command reads. */
  settings?: string;
  /** The positional arguments in their order, each with its meaning. They arrive as options of these names. */
  positionals?: Record<string, string>;
  /** The command asks each cell itself, so that it works even if one cell, also cell 0, is down. */
  everyCell?: true;
} /** `any schema`: it is the one that brings the schema up to date. */ & (
  | { needs: 'database' | 'any schema'; run(world: World, options: Options): Promise<number> }
  /** Needs no database. */
  | { needs: 'settings'; run(config: Config, options: Options): Promise<number> }
  /** The command creates the settings. */
  | { needs: 'options'; run(options: Options): Promise<number> }
  /** The command calls an installation over HTTP and has none of its own. */
  | { needs: 'environment'; run(options: Options, env: Environment): Promise<number> }
  /** The command parses its own arguments, and reads settings only if it needs them. */
  | { needs: 'nothing'; run(args: string[], settings: () => Config): Promise<number> }
);
