import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import scan from './n8n/eslint.scan.mjs';

export default defineConfig(
	{ ignores: ['**/node_modules/', 'dist/', 'coverage/', 'n8n/.n8n-data/'] },
	{
		files: ['**/*.ts', '**/*.js', '**/*.cjs', '**/*.mjs'],
		extends: [tseslint.configs.recommended],
		rules: {
			eqeqeq: 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
		},
	},
	{
		// A promise that nobody awaits is a request that nobody counts.
		files: ['**/*.ts'],
		languageOptions: { parserOptions: { project: 'tsconfig.tools.json' } },
		rules: {
			'@typescript-eslint/await-thenable': 'error',
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': 'error',
			'@typescript-eslint/return-await': ['error', 'always'],
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
		},
	},
	{
		files: ['**/*.js', '**/*.cjs'],
		rules: { '@typescript-eslint/no-require-imports': 'off' },
	},
	...scan,
);
