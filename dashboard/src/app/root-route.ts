import { createRootRoute } from '@tanstack/react-router';

import { NotFound } from './not-found.tsx';
import { Root } from './root.tsx';

export const root = createRootRoute({ component: Root, notFoundComponent: NotFound });
