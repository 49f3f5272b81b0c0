import { inject } from 'vitest';

const error = inject('buildError');
if (error !== undefined) throw new Error(error);
