/** Where a setting came from, strongest first. */
export type Origin = 'flag' | 'environment' | 'link' | 'profile' | 'config' | 'default';

/** A setting with where it came from. */
export interface Setting {
  readonly value: string;
  readonly origin: Origin;
  /** The flag, variable or file that gave it, as a person would name it. */
  readonly where: string;
}
