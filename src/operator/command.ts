import type { Config } from '../base/settings/config.ts';
import type { Environment } from '../base/settings/find-settings.ts';
import type { World } from '../base/world.ts';

type Options = Record<string, string>;

/** `flag`: stands without a value. */
type Option = { meaning: string; required?: boolean; flag?: true };

/** One of the operator's commands. The number it returns is the exit code. */
export type Command = {
  summary: string;
  options: Record<string, Option>;
  /** What it reads beyond the settings that every command reads. */
  settings?: string;
  /** The arguments without a name, in their order, and what each is; they come as options of these names. */
  positionals?: Record<string, string>;
  /** It asks each of several databases by itself: one that is away, and be it cell 0, keeps it from no other. */
  everyCell?: true;
} /** `any schema`: it is the one that brings the schema up to date. */ & (
  | { needs: 'database' | 'any schema'; run(world: World, options: Options): Promise<number> }
  /** Needs no database. */
  | { needs: 'settings'; run(config: Config, options: Options): Promise<number> }
  /** Makes the settings itself. */
  | { needs: 'options'; run(options: Options): Promise<number> }
  /** Speaks to an installation, wherever that is, and has none itself. */
  | { needs: 'environment'; run(options: Options, env: Environment): Promise<number> }
  /** Reads its own arguments, and needs no settings unless it asks for them. */
  | { needs: 'nothing'; run(args: string[], settings: () => Config): Promise<number> }
);
