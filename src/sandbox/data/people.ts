/** What a user may do in an organization. */
export type Role = 'owner' | 'admin' | 'member';

/** An organization, with the role of the sandbox's one user in it. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly role: Role;
}

/** The one user of the sandbox. */
export const USER = {
  id: 'usr_4w8n2kqv7r',
  email: 'amina@kola-studio.example',
  name: 'Amina Diallo',
  locale: 'fr',
  createdAt: '2024-02-11T08:14:00.000Z',
} as const;

/** Kola Studio, whose owner the user is. */
export const STUDIO: Organization = {
  id: 'org_6f3t9mzk2x',
  slug: 'kola-studio',
  name: 'Kola Studio',
  role: 'owner',
};

/** Baobab Travel, a client of the studio, of which the user is a member. */
export const CLIENT: Organization = {
  id: 'org_1q7r5vhc8d',
  slug: 'baobab-travel',
  name: 'Baobab Travel',
  role: 'member',
};

/** The organizations of the user; the first is used when a request names none. */
export const ORGANIZATIONS: readonly [Organization, ...Organization[]] = [STUDIO, CLIENT];
