import { CliError } from '../../errors.ts';

/** The check of a flag as the check of an answer to a question: what is wrong with it, `undefined` where nothing is. */
export function asValidation(check: (text: string) => unknown): (answer: string) => string | undefined {
  return (answer) => {
    try {
      check(answer);
      return undefined;
    } catch (error) {
      if (error instanceof CliError) return error.message;
      throw error;
    }
  };
}
