package install

// OnStep has f told of every step of an installation.
func (i *Installer) OnStep(f func(string)) { i.step = f }
