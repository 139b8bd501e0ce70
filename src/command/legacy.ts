// While commands of both kinds exist: a command that declares itself to a builder, as a literal.

import type { CommandModule, CommandSpec, Declaration, Read } from './declaration.ts';
import { camelCase } from './declaration.ts';
import type { Command } from './define.ts';
import type { Argument, Option } from './parameters.ts';

class Recorder implements Declaration {
  readonly args: Record<string, Argument<unknown>> = {};
  readonly options: Record<string, Option<unknown>> = {};
  short = '';
  long = '';
  use: string | undefined;
  group: string | undefined;
  child: Recorder | undefined;
  spec: CommandSpec<never, never> | undefined;

  command(): Recorder {
    this.child = new Recorder();
    return this.child;
  }
  summary(text: string): this {
    this.short = text;
    return this;
  }
  description(text: string): this {
    this.long = text;
    return this;
  }
  usage(text: string): this {
    this.use = text;
    return this;
  }
  optionsGroup(heading: string): this {
    this.group = heading.replace(/:$/, '');
    return this;
  }
  argument(flags: string, meaning: string, read?: Read): this {
    const name = flags.replace(/^[<[]|(?:\.\.\.)?[>\]]$/g, '');
    const variadic = /\.\.\.[>\]]$/.test(flags);
    this.args[camelCase(name)] = {
      meaning,
      required: flags.startsWith('<'),
      variadic,
      choices: (read as { choices?: readonly string[] } | undefined)?.choices ?? [],
      read: (texts) =>
        variadic ? texts : texts[0] === undefined ? undefined : read ? read(texts[0], undefined as never) : texts[0],
    };
    return this;
  }
  option(flags: string, meaning: string, read?: Read, standard?: unknown): this {
    const names = flags.match(/(?<![\w<[-])-[\w-]+/g) ?? [];
    const long = names.at(-1) ?? '';
    const negated = long.startsWith('--no-');
    const value = flags.match(/[<[](.+)[>\]]$/)?.[1] ?? '';
    const isList = read !== undefined && read.length > 1 && read.name === 'repeated';
    const isOptional = /\[/.test(flags) && value !== '' && flags.endsWith(']');
    const key = camelCase(long.replace(/^--(no-)?/, ''));
    const choices = (read as { choices?: readonly string[] } | undefined)?.choices ?? [];
    this.options[key] = {
      meaning: standard === undefined ? meaning : `${meaning} (default: ${standard})`,
      form: value === '' ? (negated ? 'negated' : 'switch') : isOptional ? 'optional' : isList ? 'list' : 'value',
      value,
      choices,
      ...(names.length > 1 ? { short: (names[0] ?? '').slice(1) } : {}),
      ...(this.group === undefined ? {} : { heading: this.group }),
      ...(read !== undefined && read.length > 1 && !isList ? { twice: 'x' } : {}),
      read: (texts) => {
        if (value === '') return negated ? texts.length === 0 : texts.length > 0 ? true : undefined;
        if (isOptional) return texts[0] === '' ? true : texts[0];
        if (texts.length === 0) return standard;
        if (read === undefined) return texts.at(-1);
        let before: unknown;
        for (const text of texts) before = read(text, before as never);
        return before;
      },
    };
    return this;
  }
}

/** The literal of a command that declares itself to a builder. */
export function fromModule(module: CommandModule, path: string): Command {
  const parent = new Recorder();
  let spec: CommandSpec<never, never> | undefined;
  module.define(parent, (_command, given) => {
    spec = given as never;
  });
  const child = parent.child as Recorder;
  if (spec === undefined) throw new Error(path);
  for (const [key, one] of Object.entries({ ...child.args, ...child.options })) {
    const offer = /file/.test('value' in one ? one.value : key)
      ? 'files'
      : key === 'service'
        ? 'services'
        : key === 'organization'
          ? 'organizations'
          : key === 'command'
            ? 'command'
            : undefined;
    if (offer) Object.assign(one, { offer });
  }
  const { run, human, csv, examples, exitCodes } = spec as unknown as CommandSpec<unknown, unknown>;
  return {
    path,
    summary: child.short || child.long,
    description: child.long,
    effect: (spec as unknown as CommandSpec<unknown, unknown>).changes ? 'changes' : 'reads',
    ...(child.use === undefined ? {} : { usage: child.use }),
    args: child.args,
    options: child.options,
    examples,
    ...(exitCodes === undefined ? {} : { exitCodes }),
    ...(csv === undefined ? {} : { csv: { what: csv[0], table: csv[1] } }),
    run: (context, values) => {
      const given = Object.fromEntries(
        Object.entries(values).filter(([key, value]) => value !== undefined && (key !== 'csv' || value)),
      );
      return run(context, given);
    },
    human,
  };
}
