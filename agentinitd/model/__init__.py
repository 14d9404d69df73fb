"""The words of agentinitd as frozen values: no file, no clock, no environment."""
