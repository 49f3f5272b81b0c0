import { inject } from 'vitest';

const { error, ...folders } = inject('installation');
if (error !== undefined) throw new Error(error);

/** The folders of the tarballs, and of the project into which npm installed them. */
export const { tarballs, project } = folders;
