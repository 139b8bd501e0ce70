import type { Io } from '../../terminal/io.ts';

/** Does work while stderr says that it goes on. */
export async function withProgress<T>(io: Pick<Io, 'progress'>, text: string, work: () => Promise<T>): Promise<T> {
  const progress = io.progress(text);
  try {
    return await work();
  } finally {
    progress.stop();
  }
}
