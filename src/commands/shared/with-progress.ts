import type { Io } from '../../terminal/io.ts';

/** Shows progress on stderr until the work ends. */
export async function withProgress<T>(io: Pick<Io, 'progress'>, text: string, work: () => Promise<T>): Promise<T> {
  const progress = io.progress(text);
  try {
    return await work();
  } finally {
    progress.stop();
  }
}
